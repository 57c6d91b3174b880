% A do loop whose condition asks for variables that its body sets first.
function [line, n] = next(s, n)
  do
    line = trimmed(s{n});
    n++;
  until (! is_comment(line))
end
function s = trimmed(s), s = strtrim(s); end
function r = is_comment(l), r = isempty(l) || (l(1) == '#') || (l(1) == '%'); end
function n = doubled(n)
  do
    n++;
    q = n * 2;
  until q > 7
  n = q;
end
function c = collected()
  c = {};
  do
    k = numel(c) + 1;
    if k == 2, c{k} = 'two'; continue, end
    c{k} = k;
  until k >= 3
end
[a, b] = next({'# no', '', ' yes '}, 1)
doubled(1)
collected()
do, z = 5; until z == 5
disp(z)
