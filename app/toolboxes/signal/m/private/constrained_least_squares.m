function h = constrained_least_squares(n, f, amplitude, up, lo, design)
% The filter of order n (see fircls) by exchange of constraints at the extremes of its response.
even = mod(n, 2) == 0;
places = (even == 0)/2 + (0:floor(n/2));      % A(w) = sum a(k) cos(places(k) w)
if ~even, places = 0.5:n/2; end
scale = ones(1, numel(places));
scale(places == 0) = 1/sqrt(2);                % an orthonormal basis on 0..pi (times 2/pi)
w = linspace(0, pi, 2^nextpow2(20*(n + 1)) + 1)';
basis = cos(w*places).*scale;
best = zeros(numel(places), 1);
for b = 1:numel(amplitude)                     % projections of the constant bands
    ends = pi*f([b b + 1]);
    part = sin(ends(2)*places)./places - sin(ends(1)*places)./places;
    part(places == 0) = diff(ends);
    best = best + 2/pi*amplitude(b)*(part.*scale)';
end
band = discretize(w/pi, f);
highest = up(band)';
lowest = lo(band)';
[above, below, a, before] = deal([], [], best, Inf);
for pass = 1:200
    response = basis*a;
    tops = peaks_of(response);                 % what crosses a bound between bands is no extreme
    valleys = peaks_of(-response);
    excess = max([0; response(tops) - highest(tops); lowest(valleys) - response(valleys)]);
    report(design, pass, excess, w, response);
    if excess < 1e-7 || excess == before, break, end
    before = excess;
    above = union(above, tops(response(tops) > highest(tops)));
    below = union(below, valleys(response(valleys) < lowest(valleys)));
    while true                                 % Lagrange's multipliers; negative ones leave
        rows = [basis(above, :); -basis(below, :)];
        wanted = [highest(above); -lowest(below)];
        forces = pinv(rows*rows')*(rows*best - wanted);
        if all(forces >= -1e-12), break, end
        [~, weakest] = min(forces);
        if weakest <= numel(above)
            above(weakest) = [];
        else
            below(weakest - numel(above)) = [];
        end
    end
    a = best - rows'*forces;
end
if excess >= 1e-5
    warning('signal:fircls:NotConverged', 'The bounds are exceeded by %g after %d passes.', excess, pass);
end
a = a'.*scale;
if even
    h = [fliplr(a(2:end))/2, a(1), a(2:end)/2];
else
    h = [fliplr(a)/2, a/2];
end
end

function places = peaks_of(x)
% Local maxima, ends included.
rises = [true; diff(x) > 0];
falls = [diff(x) <= 0; true];
places = find(rises & falls);
end

function report(design, pass, excess, w, response)
if any(strcmp(design, {'trace', 'both'})), fprintf('Bound violation = %.15f\n', max(excess, 0)); end
if any(strcmp(design, {'plots', 'both'}))
    plot(w/pi, response);
    title(sprintf('Pass %d', pass));
    xlabel('Normalized Frequency');
    ylabel('Amplitude');
    drawnow
end
end
