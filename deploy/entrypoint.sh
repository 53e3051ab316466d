#!/bin/sh
# A new volume is empty, and without a folder for temporary files nothing starts.
mkdir -p "$TMPDIR"
# In the place of this shell, so that a signal to the container reaches the program.
exec node "$(dirname "$0")/../src/cli/launcher/sextant.js" "$@"
