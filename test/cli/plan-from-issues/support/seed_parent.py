import os
import subprocess
import json


def ask_user_question(question, options, header):
    print(json.dumps({"question": question, "options": options, "header": header}), flush=True)
    return options[0] if options else "none of them"


proc = subprocess.Popen(
    ["debussy", "plan-from-issues", "--repo", "owner/repo"],
    env={**os.environ, "DEBUSSY_QA_PIPE": "1"},
    stdin=subprocess.PIPE,
    stdout=subprocess.PIPE,
    stderr=subprocess.PIPE,
    text=True,
)

while True:
    line = proc.stdout.readline()
    if not line:
        break

    try:
        question = json.loads(line)
        if question.get("type") == "question":
            # Route through AskUserQuestion tool
            user_answer = ask_user_question(
                question=question["question"],
                options=question.get("options", []),
                header=question["gap_type"][:12].title(),
            )

            # Send answer back
            answer = {
                "type": "answer",
                "gap_type": question["gap_type"],
                "answer": user_answer,
            }
            proc.stdin.write(json.dumps(answer) + "\n")
            proc.stdin.flush()
    except json.JSONDecodeError:
        # Not a JSON line - might be regular output
        pass
