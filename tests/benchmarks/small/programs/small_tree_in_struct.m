function r = small_tree_in_struct()
t = []; for v = mod((1:40)*17, 41), t = insert(t, v); end
r = depth(t)*1000 + total(t, 1);
end
function t = insert(t, v)
if isempty(t), t = struct('v', v, 'l', [], 'r', []);
elseif v < t.v, t.l = insert(t.l, v); else, t.r = insert(t.r, v); end
end
function d = depth(t)
if isempty(t), d = 0; else, d = 1 + max(depth(t.l), depth(t.r)); end
end
function s = total(t, k)
if isempty(t), s = 0; else, s = k*t.v + total(t.l, k + 1) + total(t.r, k + 1); end
end
