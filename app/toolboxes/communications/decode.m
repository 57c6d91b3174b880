function [message, errors, corrected, total] = decode(code, n, k, method, how, table)
% message = decode(code, n, k, method, how, table): the words that encode made code of, each with the
%   likeliest error corrected (table: syndtable of the parity check matrix, for 'linear').
%   [message, errors, corrected, total] = ...: how many errors each word had (-1: more than can be
%   corrected), the corrected code, and errors of every column of binary words.
if nargin < 4, method = 'hamming'; end
if nargin < 5, how = []; end
[G, decimal] = block_code(n, k, method, how, 'decode');
[words, ~, shape] = words_of(code, n, decimal, 'decode');
H = gen2par(G);
if nargin < 6 || isempty(table), table = syndtable(H); end
syndromes = mod(words*H', 2)*2.^(n - k - 1:-1:0)';
wrong = table(syndromes + 1, :);
right = mod(words + wrong, 2);
errors = sum(wrong, 2);
errors(syndromes > 0 & errors == 0) = -1;
identity = all(G(:, 1:k) == eye(k), 'all');
if identity, places = 1:k; else, places = n - k + 1:n; end
message = shape(right(:, places));
corrected = shape(right);
total = errors;
end
