function h = plotpc(w, b, old)
% h = plotpc(w, b), plotpc(w, b, h): the line (or plane) on which a perceptron with weights w and bias b decides, in the present axes; h are lines of an earlier call, which go.
if size(w, 1) ~= size(b, 1), error('nnet:plotpc:sizeMismatch', 'W and B must have as many rows.'); end
if nargin > 2, delete(old(isgraphics(old))); end
held = ishold;
limits = axis;
hold on
made = gobjects(0);
for k = 1:size(w, 1)
    if size(w, 2) == 2
        if abs(w(k, 2)) >= abs(w(k, 1))
            x = limits(1:2);
            y = -(w(k, 1)*x + b(k))/w(k, 2);
        else
            y = limits(3:4);
            x = -(w(k, 2)*y + b(k))/w(k, 1);
        end
        made(end + 1) = plot(x, y); %#ok<AGROW>
    elseif size(w, 2) == 3
        [x, y] = meshgrid(limits(1:2), limits(3:4));
        made(end + 1) = surface(x, y, -(w(k, 1)*x + w(k, 2)*y + b(k))/w(k, 3)); %#ok<AGROW>
    else
        error('nnet:plotpc:dimensions', 'A perceptron of two or three inputs can be drawn.');
    end
end
axis(limits)
if ~held, hold off, end
if nargout, h = made; end
end
