case "$ANSWER_choice" in
  *[Ss]emicolon*) separator=';' ;;
  *[Tt]ab*) separator='\\t' ;;
  *) separator=',' ;;
esac
order=title
if grep -q '[*][*]by year[*][*]' {{plan}}/MASTER_PLAN.md; then order=year; fi
printf "export const usual = '%b';\nexport const order = '%s';\n" "$separator" "$order" > src/csv-format.js
