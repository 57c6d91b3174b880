function h = scatterplot(x, n, offset, style, target)
% h = scatterplot(x, n, offset, style, target): every n-th (1) sample of a signal behind the first offset (0) ones in the
%   plane of its in-phase and quadrature parts, with plot's style ('b.'); target: a figure or axes to draw into. The
%   columns of real matrices of two columns are these parts.
if nargin < 2 || isempty(n), n = 1; end
if nargin < 3 || isempty(offset), offset = 0; end
if nargin < 4 || isempty(style), style = 'b.'; end
if isreal(x) && size(x, 2) == 2
    x = complex(x(:, 1), x(:, 2));
end
x = x(offset + 1:n:end);
if nargin < 5 || isempty(target)
    ax = axes(figure('Name', 'Scatter Plot'));
elseif isgraphics(target, 'figure')
    ax = axes(target);
else
    ax = target;
end
plot(ax, real(x(:)), imag(x(:)), style)
most = 1.07*max([abs(real(x(:))); abs(imag(x(:))); eps]);
axis(ax, [-most most -most most])
axis(ax, 'square')
title(ax, 'Scatter plot')
xlabel(ax, 'In-Phase')
ylabel(ax, 'Quadrature')
if nargout, h = ancestor(ax, 'figure'); end
end
