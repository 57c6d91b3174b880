function search = configured(search, pairs)
% search = configured(search, pairs): a GlobalSearch or MultiStart with options by name.
if mod(numel(pairs), 2), error('globaloptim:search:invalidPVPairs', 'Names and values must come in pairs.'); end
old = {'TolFun', 'TolX', 'OutputFcns', 'PlotFcns'; 'FunctionTolerance', 'XTolerance', 'OutputFcn', 'PlotFcn'};
for k = 1:2:numel(pairs)
    name = char(pairs{k});
    at = strcmpi(name, old(1, :));
    if any(at), name = old{2, at}; end
    search.(validatestring(name, properties(search), class(search))) = pairs{k + 1};
end
end
