function plotpv(p, t, limits)
% plotpv(p, t), plotpv(p, t, limits): points of two or three coordinates, the columns of p, with a mark for their targets: o for 0, + for 1; with two rows of
%   targets also * and x. limits are those of the axes.
if ~any(size(p, 1) == [1 2 3]), error('nnet:plotpv:dimensions', 'Points must have one to three coordinates.'); end
if ~any(size(t, 1) == [1 2 3]), error('nnet:plotpv:targets', 'Targets must have one to three rows.'); end
marks = 'o+*xsd^v';
kind = 1 + (2.^(size(t, 1) - 1:-1:0))*t;
p = [p; zeros(3 - size(p, 1), size(p, 2))];
held = ishold;
if ~held, cla, end
hold on
for k = unique(kind)
    mine = kind == k;
    if any(p(3, :)), plot3(p(1, mine), p(2, mine), p(3, mine), marks(k)); else, plot(p(1, mine), p(2, mine), marks(k)); end
end
if nargin < 3
    low = min(p(1:2, :), [], 2);
    high = max(p(1:2, :), [], 2);
    edge = max(max(high - low), 1)/4;
    limits = [low(1) - edge, high(1) + edge, low(2) - edge, high(2) + edge];
end
axis(limits)
title('Vectors to be Classified'), xlabel('P(1)'), ylabel('P(2)')
if ~held, hold off, end
end
