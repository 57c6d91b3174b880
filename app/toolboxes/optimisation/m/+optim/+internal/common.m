function pairs = common(search)
% pairs = common(search): the options that GlobalSearch and MultiStart share, by name.
names = {'Display', 'FunctionTolerance', 'MaxTime', 'OutputFcn', 'PlotFcn', 'StartPointsToRun', 'XTolerance'};
pairs = [names; cellfun(@(n) {search.(n)}, names)];
pairs = pairs(:).';
end
