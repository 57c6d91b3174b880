function c = gftrunc(a)
% c = gftrunc(a): a polynomial, by ascending powers, without the zeros of its highest powers.
last = find(a, 1, 'last');
if isempty(last), c = 0; else, c = a(1:last); end
end
