function y = evalmf(x, params, type)
% y = evalmf(x, params, type): the membership function with this name, such as 'trimf', at x.
known = {'trimf', 'trapmf', 'gaussmf', 'gauss2mf', 'gbellmf', 'sigmf', 'dsigmf', 'psigmf', 'smf', 'zmf', 'pimf'};
y = feval(validatestring(type, known, 'evalmf'), x, params);
end
