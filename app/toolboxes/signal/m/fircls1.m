function h = fircls1(n, wo, dp, ds, varargin)
% h = fircls1(n, wo, dp, ds): a lowpass filter of order n with its edge at wo (of the Nyquist
%   frequency), deviating from 1 by dp and from 0 by ds at most, nearest in the least squares.
%   fircls1(..., 'high'): a highpass filter; 'trace', 'plots', 'both': see fircls.
%   The weights of fircls1(n, wo, dp, ds, wp, ws, k) are not known.
if any(cellfun(@isnumeric, varargin))
    error('signal:fircls1:NoWeights', ...
        'fircls1 with edges wt, wp, ws and a weight is not part of Fuselab: use fircls1(n, wo, dp, ds).');
end
high = cellfun(@(word) strcmpi(word, 'high'), varargin);
others = varargin(~high);
if any(high)
    bands = {[0 1], [ds 1 + dp], [-ds 1 - dp]};
else
    bands = {[1 0], [1 + dp ds], [1 - dp -ds]};
end
h = fircls(n, [0 wo 1], bands{:}, others{:});
end
