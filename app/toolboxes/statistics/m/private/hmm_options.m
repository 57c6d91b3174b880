function [symbols, names] = hmm_options(name, args)
% What symbols and states are called.
o = inputParser;
o.FunctionName = name;
addParameter(o, 'Symbols', []);
addParameter(o, 'Statenames', []);
parse(o, args{:});
symbols = o.Results.Symbols;
names = o.Results.Statenames;
end
