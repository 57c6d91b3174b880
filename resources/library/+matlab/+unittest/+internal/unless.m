function report = unless(good, text, varargin)
% The report of a failed check, with the text its author gave; empty when it is good.
report = '';
if ~good
    report = text;
    if ~isempty(varargin) && ~isempty(varargin{1})
        report = sprintf('%s\n%s', matlab.unittest.internal.textof(varargin{1}), text);
    end
end
end
