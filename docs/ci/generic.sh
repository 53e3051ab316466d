#!/usr/bin/env bash
# For any system that runs a shell, after `npm ci`, in the folder with environments/:
#   docs/ci/generic.sh staging release          before a release
#   docs/ci/generic.sh staging scheduled        by the system's own schedule, or cron; skipped while another run is under way
# Secrets are the variables STAGING_ACCESS_TOKEN, STAGING_API_KEY and STAGING_FRIEND_ACCESS_TOKEN, or a file that SECRETS_FILE names,
# with the lines of environments/staging.secret.env. KEEP is a folder that outlives the job: the undo journal, used-up items, trends.
# Publish results/report, results/junit.xml and results/summary.md.
set -u
environment=$1 kind=$2
keep=${KEEP:?a folder that outlives the job}
results=${SEXTANT_OUTPUT:-results}
export SEXTANT_STATE="$keep/state"
mkdir -p "$SEXTANT_STATE" "$results"
# On one machine. On several, keep runs that act as the same users apart with what your system has for it.
exec 9> "$keep/under-way"
if [ "$kind" = release ]; then flock 9; elif ! flock -n 9; then echo "skipped: another run is under way"; exit; fi
if [ -n "${SECRETS_FILE:-}" ]; then install -m 600 "$SECRETS_FILE" "environments/$environment.secret.env"; fi
if [ -f "$keep/history.jsonl" ]; then cp "$keep/history.jsonl" "$results/"; fi
case $kind in
  release) npx --no sextant test --env "$environment" --yes ;;
  scheduled) npx --no sextant check --env "$environment" --yes --keep-items --junit "$results/junit.xml" --summary "$results/summary.md" ;;
  *) echo "unknown: $kind" >&2; exit 2 ;;
esac
code=$?
if [ -f "$results/history.jsonl" ]; then cp "$results/history.jsonl" "$keep/"; fi
exit "$code"
