function [r, n] = strict(x, k, mode, opts)
    arguments
        x (1,:) double {mustBeFinite, mustBeNonempty}
        k (1,1) {mustBeInteger, mustBePositive} = 2
        mode (1,1) string {mustBeMember(mode, ["sum", "max"])} = "sum"
        opts.Scale (1,1) double {mustBeInRange(opts.Scale, 0, 10)} = 1
        opts.Label {mustBeTextScalar} = 'none'
    end
    r = opts.Scale * k;
    if mode == "sum", r = r * sum(x); else, r = r * max(x); end
    n = sprintf('%s:%d', opts.Label, numel(x));
end
