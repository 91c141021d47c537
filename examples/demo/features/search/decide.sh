empty=true
if grep -q '[*][*]nothing[*][*]' {{plan}}/MASTER_PLAN.md; then empty=false; fi
printf 'export const emptyFindsAll = %s;\n' "$empty" > src/empty-query.js
