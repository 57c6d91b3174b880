s = struct('v', {1, 2, 3});
[s.v]
{s.v}
max([s.v])
