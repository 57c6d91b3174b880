function [ax, f] = lassoPlot(B, varargin)
% [ax, f] = lassoPlot(B, FitInfo): draws the coefficients that lasso or lassoglm gives.
%   lassoPlot(B): over the L1 norm of the coefficients.
%   Options: 'PlotType' ('L1', 'Lambda': over the regularisation, 'CV': the cross-validated error
%   with its standard errors), 'XScale' ('linear', 'log'), 'PredictorNames', 'Parent' (axes).
rest = varargin;
info = struct();
lambda = [];
if ~isempty(rest) && isstruct(rest{1})
    info = rest{1};
    rest(1) = [];
elseif ~isempty(rest) && isnumeric(rest{1})
    lambda = rest{1};
    rest(1) = [];
end
if isfield(info, 'Lambda'), lambda = info.Lambda; end
o = inputParser;
o.FunctionName = 'lassoPlot';
addParameter(o, 'PlotType', 'L1');
addParameter(o, 'XScale', '');
addParameter(o, 'PredictorNames', {});
addParameter(o, 'Parent', []);
parse(o, rest{:});
kind = validatestring(o.Results.PlotType, {'L1', 'Lambda', 'CV'}, 'lassoPlot');
if ~strcmp(kind, 'L1') && isempty(lambda)
    error('stats:lassoPlot:NeedsLambda', 'PlotType %s needs FitInfo with Lambda.', kind);
end
ax = o.Results.Parent;
if isempty(ax), ax = axes(figure); end
f = ancestor(ax, 'figure');
switch kind
    case 'L1'
        [norms, k] = sort(sum(abs(B), 1));
        lines = plot(ax, norms, B(:, k)');
        xlabel(ax, 'L1');
        scale = 'linear';
    case 'Lambda'
        lines = plot(ax, lambda, B');
        xlabel(ax, 'Lambda');
        set(ax, 'XDir', 'reverse');
        scale = 'log';
    case 'CV'
        lines = cross_validation(ax, info);
        scale = 'log';
end
if ~isempty(o.Results.XScale)
    scale = validatestring(o.Results.XScale, {'linear', 'log'}, 'lassoPlot');
end
set(ax, 'XScale', scale);
if ~strcmp(kind, 'CV')
    ylabel(ax, 'Coefficients');
    title(ax, 'Trace Plot of Coefficients Fit by Lasso');
    if ~isempty(o.Results.PredictorNames), legend(ax, lines, cellstr(o.Results.PredictorNames)); end
end
if nargout == 0, clear ax f, end
end

function lines = cross_validation(ax, info)
error_name = 'MSE';
if isfield(info, 'Deviance'), error_name = 'Deviance'; end
if ~isfield(info, 'SE')
    error('stats:lassoPlot:NeedsCV', 'PlotType CV needs a fit with cross-validation (''CV'', 10).');
end
lines = errorbar(ax, info.Lambda, info.(error_name), info.SE, '.', 'Color', [0.6 0.6 0.6], ...
    'MarkerEdgeColor', 'r', 'DisplayName', [error_name ' with standard errors']);
hold(ax, 'on');
best = info.(['IndexMin' error_name]);
within = info.Index1SE;
lines(2) = plot(ax, info.Lambda(best), info.(error_name)(best), 'go', ...
    'DisplayName', ['Lambda of least ' error_name]);
lines(3) = plot(ax, info.Lambda(within), info.(error_name)(within), 'bo', ...
    'DisplayName', 'Lambda within one standard error');
hold(ax, 'off');
set(ax, 'XDir', 'reverse');
legend(ax, lines);
xlabel(ax, 'Lambda');
ylabel(ax, error_name);
title(ax, ['Cross-Validated ' error_name ' of Lasso Fit']);
end
