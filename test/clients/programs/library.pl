# An echo, a large body and a stream, with LWP.
use strict;
use warnings;
use JSON::PP;
use LWP::UserAgent;
use Time::HiRes qw(time);

my ($echo_url, $digest_url, $events_url) = @ARGV;
my $agent = LWP::UserAgent->new(env_proxy => 1);
my $echo = $agent->get($echo_url);
die $echo->decoded_content unless $echo->is_success;
my $digest = $agent->post($digest_url, Content => 'x' x 3_000_000);
die $digest->decoded_content unless $digest->is_success;
my @times;
$agent->get($events_url, ':read_size_hint' => 1024, ':content_cb' => sub {
    push @times, (time * 1000) x (() = $_[0] =~ /data:/g);
});
print encode_json({
    authorization => decode_json($echo->decoded_content)->{headers}{authorization},
    digest => decode_json($digest->decoded_content),
    times => \@times,
});
