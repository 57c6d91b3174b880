function t = thselect(x, rule)
% t = thselect(x, rule): a threshold for numbers with noise of variance 1: 'rigrsure' (Stein's unbiased risk), 'sqtwolog' (sqrt(2 log n)),
%   'heursure' (one of the two, by how much signal there is), 'minimaxi' (minimax). After Donoho and Johnstone (1994, 1995).
n = numel(x);
universal = sqrt(2*log(n));
switch validatestring(rule, {'rigrsure', 'heursure', 'sqtwolog', 'minimaxi'}, 'thselect')
    case 'rigrsure'
        t = ofLeastRisk(x, n);
    case 'heursure'
        t = universal;
        if (norm(x(:))^2 - n)/n >= log2(n)^1.5/sqrt(n), t = min(ofLeastRisk(x, n), universal); end
    case 'sqtwolog'
        t = universal;
    case 'minimaxi'
        t = 0;
        if n > 32, t = 0.3936 + 0.1829*log2(n); end
end
end

function t = ofLeastRisk(x, n)
square = sort(abs(x(:))).^2;
risk = (n - 2*(1:n)' + cumsum(square) + (n - 1:-1:0)'.*square)/n;
[~, best] = min(risk);
t = sqrt(square(best));
end
