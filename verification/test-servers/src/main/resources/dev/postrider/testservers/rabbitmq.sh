# Runs a program of RabbitMQ for one node.
#   $1 the node's data directory, with a file "environment"    $2 the program    rest: its arguments
# The server runs with Erlang's port mapper beside it; both end with this script.

set -a
. "$1/environment"
set +a
# An empty one would mean the current directory.
[ -n "$LD_LIBRARY_PATH" ] || unset LD_LIBRARY_PATH
mkdir -p "$HOME"
program=$2
shift 2

[ "$program" = rabbitmq-server ] || exec "$PROGRAMS/$program" "$@"

epmd &
mapper=$!
"$PROGRAMS/$program" "$@" &
node=$!
trap 'kill -TERM "$node"' TERM INT
# A signal ends a wait early.
while kill -0 "$node" 2>/dev/null; do
  wait "$node"
done
kill "$mapper"
