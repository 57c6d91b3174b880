function [odd, type] = parity(given, name, usual)
% Whether a number among the options is odd, and the letter of a direction.
[odd, type] = deal(usual, 'c');
for k = 1:numel(given)
    if isnumeric(given{k}) && isscalar(given{k})
        odd = mod(given{k}, 2);
    elseif any(strcmp(given{k}, {'c', 'r', 'm'}))
        type = given{k};
    else
        error(['Wavelet:' name ':invalidOption'], '%s takes a number and ''c'', ''r'' or ''m''.', name);
    end
end
end
