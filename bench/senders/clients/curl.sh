# As fetch.mjs, with one curl after another: each has a connection of its own.
for file in "$2"/*; do
  curl --silent --fail --output /dev/null --write-out '%{time_total}\n' --header 'content-type: application/x-protobuf' \
    --data-binary "@$file" "$1" | awk '{ print $1 * 1000 }' || exit 1
done
