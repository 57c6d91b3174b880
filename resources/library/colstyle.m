function [style, color, marker, msg] = colstyle(spec)
% [style, color, marker, msg] = colstyle(spec): the parts of a line specification such as 'r--o'; msg is empty, or an
%   error where the text is none.
[style, color, marker, msg] = deal('');
rest = char(spec);
for word = {'--', '-.', '-', ':'}
    at = strfind(rest, word{1});
    if ~isempty(at)
        style = word{1};
        rest(at(1):at(1) + numel(style) - 1) = [];
        break
    end
end
for letter = rest
    if any(letter == 'rgbcmykw') && isempty(color)
        color = letter;
    elseif any(letter == '+o*.xsd^v><ph_|') && isempty(marker)
        marker = letter;
    else
        msg = struct('message', 'Error in color/linetype argument.', 'identifier', 'MATLAB:colstyle:InvalidColorOrLineType');
        [style, color, marker] = deal('');
        return
    end
end
end
