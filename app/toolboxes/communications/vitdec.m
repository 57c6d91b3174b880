function msg = vitdec(code, trellis, tblen, opmode, dectype, varargin)
% msg = vitdec(code, trellis, tblen, opmode, dectype, nsdec, puncture): bits decoded by Viterbi's algorithm.
%   Modes: trunc, term (the last state is 0), cont (delayed by tblen). Types: hard, unquant (positive is 0), soft
%   (numbers from 0 to 2^nsdec - 1).
opmode = validatestring(opmode, {'trunc', 'term', 'cont'}, 'vitdec');
dectype = validatestring(dectype, {'hard', 'unquant', 'soft'}, 'vitdec');
bits = 1;
puncture = [];
rest = varargin;
if strcmp(dectype, 'soft')
    if isempty(rest), error('comm:vitdec:MissingNsdec', 'Soft decisions need their number of bits.'); end
    bits = rest{1};
    rest(1) = [];
end
if ~isempty(rest), puncture = rest{1}; end
n = log2(trellis.numOutputSymbols);
k = log2(trellis.numInputSymbols);
switch dectype
    case 'hard', cost = [double(code(:)), 1 - double(code(:))];
    case 'unquant', cost = [-double(code(:)), double(code(:))];
    case 'soft', cost = [double(code(:)), 2^bits - 1 - double(code(:))];
end
if ~isempty(puncture)
    pattern = puncture(:) > 0;
    periods = ceil(size(cost, 1)/sum(pattern));
    kept = repmat(pattern, periods, 1);
    places = find(kept);
    places = places(1:size(cost, 1));
    full_ = zeros(ceil(places(end)/n)*n, 2);
    full_(places, :) = cost;
    cost = full_;
end
steps = floor(size(cost, 1)/n);
outputs = oct2dec(trellis.outputs);
states = trellis.numStates;
metric = Inf(states, 1);
metric(1) = 0;
[from, by] = deal(zeros(states, steps));
digits = mod(floor(outputs(:)./2.^(n - 1:-1:0)), 2);
next = trellis.nextStates(:) + 1;
origin = repmat((1:states)', size(outputs, 2), 1);
symbol = reshape(repmat(0:size(outputs, 2) - 1, states, 1), [], 1);
for s = 1:steps
    part = cost((s - 1)*n + (1:n), :);
    price = digits*part(:, 2) + (1 - digits)*part(:, 1);
    total = metric(origin) + price;
    metric = Inf(states, 1);
    for e = 1:numel(total)
        if total(e) < metric(next(e))
            metric(next(e)) = total(e);
            from(next(e), s) = origin(e);
            by(next(e), s) = symbol(e);
        end
    end
end
state = 1;
if ~strcmp(opmode, 'term'), [~, state] = min(metric); end
decided = zeros(1, steps);
for s = steps:-1:1
    decided(s) = by(state, s);
    state = from(state, s);
end
msg = mod(floor(decided./2.^(k - 1:-1:0)'), 2);
if strcmp(opmode, 'cont'), msg = [zeros(k, min(tblen, steps)) msg(:, 1:end - tblen)]; end
msg = msg(:);
if isrow(code), msg = msg'; end
end
