function n = hmm_numbers(seq, symbols)
% The numbers of the symbols of a sequence.
if isempty(symbols), n = seq; return, end
[known, n] = ismember(seq, symbols);
if ~all(known), error('stats:hmm:MissingSymbol', 'The sequence has a symbol that Symbols lacks.'); end
n = reshape(n, 1, []);
end
