function v = defuzz(x, mf, method)
% v = defuzz(x, mf, method): a number for a membership function: centroid, bisector, mom, som or lom (the middle,
%   the smallest in size and the largest in size of where it is largest).
x = x(:);
mf = mf(:);
top = x(mf == max(mf));
switch validatestring(method, {'centroid', 'bisector', 'mom', 'som', 'lom'}, 'defuzz')
    case 'centroid'
        if ~any(mf), error('fuzzy:defuzz:ZeroArea', 'The membership function is zero everywhere.'); end
        v = sum(mf.*x)/sum(mf);
    case 'bisector'
        v = x(find(cumsum(mf) >= sum(mf)/2, 1));
    case 'mom'
        v = mean(top);
    case 'som'
        [~, k] = min(abs(top));
        v = top(k);
    case 'lom'
        [~, k] = max(abs(top));
        v = top(k);
end
end
