function rcoplot(r, rint)
% rcoplot(r, rint): residuals of regress in their order, with their intervals.
%   Intervals that do not hold zero are red: these observations may be outliers.
r = r(:);
cases = (1:numel(r))';
outside = rint(:, 1) > 0 | rint(:, 2) < 0;
ax = newplot;
plot(ax, [0; numel(r) + 1], [0; 0], 'k-');
hold(ax, 'on');
colors = {[0 0.447 0.741], [0.85 0.1 0.1]};
for far = [false true]
    k = outside == far;
    errorbar(ax, cases(k), r(k), r(k) - rint(k, 1), rint(k, 2) - r(k), 'o', 'Color', colors{far + 1});
end
hold(ax, 'off');
xlim(ax, [0 numel(r) + 1]);
title(ax, 'Residual Case Order Plot');
xlabel(ax, 'Case Number');
ylabel(ax, 'Residuals');
end
