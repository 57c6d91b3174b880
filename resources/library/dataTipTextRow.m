classdef dataTipTextRow < handle
    % A row of the text of data tips: row = dataTipTextRow(label, value), dataTipTextRow(label, value, format).
    %   value is the name of a property of the chart, numbers, or a function.
    properties
        Label = "";
        Value = [];
        Format = 'auto';
    end

    methods
        function row = dataTipTextRow(label, value, format)
            % dataTipTextRow(label, value, format).
            narginchk(2, 3);
            row.Label = string(label);
            row.Value = value;
            if nargin > 2, row.Format = format; end
        end
    end
end
