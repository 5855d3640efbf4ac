# Waits for the end of a process, then ends the servers recorded in a directory and deletes their data.
#   $1 process to wait for; 0 waits for none    $2 its start in clock ticks, or 0    $3 directory
# Each server has a directory in it, with a file "pid" (number, start, signal that ends it) or "container" (name).

lives() { # pid start
  kill -0 "$1" 2>/dev/null || return 1
  [ "$2" != 0 ] || return 0
  set -- "$2" $(sed 's/.*) //' "/proc/$1/stat" 2>/dev/null)
  [ "$1" = "${21:-gone}" ] && [ "$2" != Z ]
}

children() { # pid
  sed -n "s/^\([0-9]*\) (.*) [A-Za-z] $1 .*/\1/p" /proc/[0-9]*/stat 2>/dev/null
}

end_process() { # pid start signal
  lives "$1" "$2" || return 0
  family="$1 $(children "$1")"
  kill -CONT $family 2>/dev/null # A test may have frozen them.
  kill "-$3" "$1"
  tries=100
  while lives "$1" "$2" && [ "$tries" -gt 0 ]; do
    sleep 0.1
    tries=$((tries - 1))
  done
  ! lives "$1" "$2" || kill -KILL $family 2>/dev/null
}

while [ "$1" != 0 ] && lives "$1" "$2"; do
  sleep 1
done

for server in "$3"/*/; do
  if [ -f "$server/pid" ]; then
    read -r pid start signal <"$server/pid"
    end_process "$pid" "$start" "$signal"
  fi
  if [ -f "$server/container" ]; then
    docker rm --force --volumes "$(cat "$server/container")" >/dev/null 2>&1
  fi
  rm -rf "$server/data"
done
