function h = eyediagram(x, n, period, offset, style)
% h = eyediagram(x, n, period, offset, style): draws the traces of n samples of a signal over each
%   other, period (1) long, beginning at a sample offset (0); complex signals (or two columns) have a
%   diagram of each part. h: the figure.
if nargin < 3 || isempty(period), period = 1; end
if nargin < 4 || isempty(offset), offset = 0; end
if nargin < 5, style = 'b-'; end
validateattributes(n, {'numeric'}, {'scalar', 'integer', '>', 1}, 'eyediagram', 'n');
validateattributes(offset, {'numeric'}, {'scalar', 'integer', '>=', 0, '<', n}, 'eyediagram', 'offset');
if isrow(x), x = x.'; end
if ~isreal(x)
    if size(x, 2) > 1, error('comm:eyediagram:InvalidX', 'A complex signal must be a vector.'); end
    x = [real(x) imag(x)];
end
names = {'Eye Diagram'};
if size(x, 2) == 2, names = {'Eye Diagram for In-Phase Signal', 'Eye Diagram for Quadrature Signal'}; end
t = ((0:n)'/n - 0.5)*period;
figure_ = figure('Name', 'Eye Diagram');
for k = 1:size(x, 2)
    starts = offset:n:size(x, 1) - n - 1;
    traces = reshape(x(starts + (1:n + 1)', k), n + 1, []);
    subplot(size(x, 2), 1, k);
    plot(t, traces, style);
    xlim(t([1 end]));
    xlabel('Time');
    ylabel('Amplitude');
    title(names{k});
end
if nargout, h = figure_; end
end
