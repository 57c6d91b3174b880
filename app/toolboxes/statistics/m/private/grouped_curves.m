function made = grouped_curves(t, curves, options)
% Lines of the rows of curves, or the quantiles of each group, in a color for each group.
groups = ones(size(curves, 1), 1);
names = {};
if ~isempty(options.group)
    groups = options.group.index;
    names = options.group.names;
end
colors = lines(max([groups; 1]));
made = gobjects(0, 1);
first = gobjects(0, 1);
held = ishold;
for g = 1:max([groups; 0])
    y = curves(groups == g, :);
    if isempty(y)
        continue
    end
    styles = {'-'};
    if ~isempty(options.quantile)
        share = options.quantile;
        y = quantile(y, [0.5 share 1 - share], 1);
        styles = {'-', ':', ':'};
    end
    for k = 1:size(y, 1)
        style = styles{min(k, numel(styles))};
        made(end + 1, 1) = plot(t, y(k, :), 'LineStyle', style, 'Color', colors(g, :), ...
            options.others{:}); %#ok<AGROW>
        hold on
        if k == 1
            first(end + 1, 1) = made(end); %#ok<AGROW>
        end
    end
end
if ~held
    hold off
end
if ~isempty(names)
    legend(first, names(unique(groups)));
end
end
