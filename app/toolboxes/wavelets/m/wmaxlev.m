function n = wmaxlev(s, wname)
% n = wmaxlev(s, wname): the most levels into which a signal of length s, or a picture of size s, can be usefully decomposed.
width = numel(wfilters(wname));
if width < 2, width = 2; end
n = max(fix(log2(min(s)/(width - 1))), 0);
end
