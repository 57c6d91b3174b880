classdef OnOffSwitchState < logical
    % 'on' and 'off' as logical values: true is on, false is off. Beside text a member becomes text.
    enumeration
        off (false)
        on (true)
    end

    methods
        function joined = horzcat(varargin)
            joined = besideText(@horzcat, varargin);
        end

        function joined = vertcat(varargin)
            joined = besideText(@vertcat, varargin);
        end
    end
end

function joined = besideText(join, parts)
% The parts side by side: as text where one of them is, as strings where one is a string.
if any(cellfun(@isstring, parts))
    asText = @string;
elseif any(cellfun(@ischar, parts))
    asText = @char;
else
    asText = @(member) member;
end
members = cellfun(@(part) isa(part, 'matlab.lang.OnOffSwitchState'), parts);
parts(members) = cellfun(asText, parts(members), 'UniformOutput', false);
joined = builtin(func2str(join), parts{:});
end
