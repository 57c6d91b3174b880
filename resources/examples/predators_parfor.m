% Hares and lynxes: how high do both rise for thousands of growth rates?
% A pass knows nothing of the others: it is a point of one kernel, work of a thread or of a worker,
% whatever is fastest on this machine, and the numbers are the same to the last digit.
n = 4000;
steps = 1000;
model.hunted = 1.2;
model.born = 0.8;
model.starved = 1.0;
growth = linspace(0.6, 1.8, n);
rate = @(u, g, m) [g*u(1) - m.hunted*u(1)*u(2); m.born*u(1)*u(2) - m.starved*u(2)];
h = 0.01;
hares = zeros(1, n);
lynxes = zeros(1, n);
parfor k = 1:n
    u = [1; 0.5];
    most = u;
    for s = 1:steps
        half = u + h/2*rate(u, growth(k), model);
        u = u + h*rate(half, growth(k), model);
        most = max(most, u);
    end
    hares(k) = most(1);
    lynxes(k) = most(2);
end
[top, at] = max(lynxes);
fprintf('hares rise to %.3f at most, lynxes to %.3f where hares grow by %.3f\n', max(hares), top, growth(at))
fprintf('in %d of %d cases there are twice as many lynxes as hares at first\n', sum(lynxes > 2), n)
