function text = poly2str(p, variable)
% text = poly2str(p, variable): a polynomial as text, such as '   s^2 + 2 s - 3'.
if nargin < 2, variable = 's'; end
text = '';
for k = find(p(:)' ~= 0)
    power = numel(p) - k;
    number = sprintf('%.5g', abs(p(k)));
    if power && abs(p(k)) == 1, number = ''; end
    term = number;
    if power
        term = strtrim([number ' ' variable]);
        if power > 1, term = sprintf('%s^%d', term, power); end
    end
    if isempty(text)
        if p(k) < 0, term = ['-' term]; end
        text = ['   ' term];
    elseif p(k) < 0
        text = [text ' - ' term];
    else
        text = [text ' + ' term];
    end
end
if isempty(text), text = '   0'; end
end
