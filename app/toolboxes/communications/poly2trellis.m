function t = poly2trellis(len, generators, feedback)
% t = poly2trellis(len, generators, feedback): the trellis of a convolutional encoder: constraint lengths and
%   generators in octal, one row for each input; feedback polynomials, one for each input.
k = numel(len);
if size(generators, 1) ~= k, error('comm:poly2trellis:InvalidSize', 'There must be a row of generators for each constraint length.'); end
memory = len - 1;
total = sum(memory);
n = size(generators, 2);
taps = cell(k, n);
for i = 1:k
    for j = 1:n
        bits = dec2bin(oct2dec(generators(i, j)), len(i)) - '0';
        if numel(bits) > len(i), error('comm:poly2trellis:InvalidGenerator', 'A generator is longer than its constraint length.'); end
        taps{i, j} = bits;
    end
end
back = cell(1, k);
for i = 1:k
    back{i} = [1 zeros(1, memory(i))];
    if nargin > 2, back{i} = dec2bin(oct2dec(feedback(i)), len(i)) - '0'; end
end
t = struct('numInputSymbols', 2^k, 'numOutputSymbols', 2^n, 'numStates', 2^total, ...
    'nextStates', zeros(2^total, 2^k), 'outputs', zeros(2^total, 2^k));
for s = 0:2^total - 1
    registers = bits_of(s, total);
    for u = 0:2^k - 1
        input_ = bits_of(u, k);
        out = zeros(1, n);
        next = [];
        first = 0;
        for i = 1:k
            held = registers(first + (1:memory(i)));
            first = first + memory(i);
            fed = mod(input_(i) + back{i}(2:end)*held', 2);
            line = [fed held];
            for j = 1:n, out(j) = mod(out(j) + taps{i, j}*line', 2); end
            next = [next line(1:end - 1)];
        end
        t.nextStates(s + 1, u + 1) = number_of(next);
        octal = dec2base(number_of(out), 8);
        t.outputs(s + 1, u + 1) = str2double(octal);
    end
end
end

function b = bits_of(x, n)
b = mod(floor(x./2.^(n - 1:-1:0)), 2);
end

function x = number_of(b)
x = sum(b.*2.^(numel(b) - 1:-1:0));
end
