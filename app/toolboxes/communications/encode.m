function [code, added] = encode(message, n, k, method, how)
% [code, added] = encode(message, n, k, method, how): block codes of length n for words of k bits.
%   Methods: 'hamming' (how: a primitive polynomial), 'linear' (how: a generator matrix), 'cyclic'
%   (how: a generator polynomial), each with '/binary' (a vector, or a row for each word; the default)
%   or '/decimal' (words as whole numbers, the first bit counts one). added: zeros that were put to
%   the end to fill the last word.
if nargin < 4, method = 'hamming'; end
if nargin < 5, how = []; end
[G, decimal] = block_code(n, k, method, how, 'encode');
[words, added, shape] = words_of(message, k, decimal, 'encode');
code = shape(mod(words*G, 2));
end
