function h = andrewsplot(x, varargin)
% h = andrewsplot(x): each row of x as a curve x1/sqrt(2) + x2*sin(2*pi*t) + x3*cos(2*pi*t) + ...
%   Names: Standardize ('on', 'PCA', 'PCAStd'), Quantile, Group, LineSpec and properties of lines.
[x, options] = comparable_rows('andrewsplot', x, varargin);
t = linspace(0, 1, 1001);
waves = ones(size(x, 2), numel(t))/sqrt(2);
for k = 2:size(x, 2)
    if mod(k, 2) == 0
        waves(k, :) = sin(2*pi*floor(k/2)*t);
    else
        waves(k, :) = cos(2*pi*floor(k/2)*t);
    end
end
made = grouped_curves(t, x*waves, options);
xlabel('t'); ylabel('f(t)');
if nargout
    h = made;
end
end
