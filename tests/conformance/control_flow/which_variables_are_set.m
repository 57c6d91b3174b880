% clear and exist in loops over arrays say of each pass what is set
n = 3000; u = sin((1:n)' / 100); w = zeros(1, 0);
for k = 1:40
  if ~exist('a', 'var'), q = k; end
  a = 0.5 * u; b = 2 * a; u = u + 0.1 * b;
  clear b
end
fprintf('%d %d %d %.4f\n', q, exist('a', 'var'), exist('b', 'var'), sum(u));
for k = 1:40
  if exist('t', 'var'), u = u + t; w(end + 1) = k; end
  t = 0.5 * u; u = 0.3 * u;
  if k > 20, clear('t'), end
end
fprintf('%d %d %.4e\n', numel(w), exist('t', 'var'), sum(u));
h = []; m = 'none';
for k = 1:40
  u = 0.9 * u + 0.01;
  if k > 3, clear h, end
  try
    u = u + h;
  catch e
    m = 'caught';
  end
  h = 0;
  if exist('h', 'var'), h = 0.001 * k; end
end
fprintf('%.6f %s\n', sum(u), m);
fprintf('%.4f %d\n', first_passes((1:2000)'));
u = sin((1:3000)' / 100);  % of texts and containers, too
for k = 1:40
  if ~exist('text', 'var'), u = u + 100; end
  u = 0.9 * u; text = 'abc';
  if mod(k, 7) == 0, clear text, end
end
fprintf('%.4f\n', sum(u));
u = sin((1:3000)' / 100); p.x = 1;
for k = 1:40
  if ~exist('copy', 'var'), u = u + 100; end
  u = 0.9 * u; copy = p;
end
fprintf('%.4f %d\n', sum(u), copy.x);
function s = first_passes(u)
  for k = 1:30
    u = 0.9 * u;
    if exist('v', 'var') && k > 2, v = v + u; else, v = u; end
    if k == 30, clear v, end
  end
  s = [sum(u), exist('v', 'var')];
end
