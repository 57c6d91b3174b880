classdef dataTipTextRow < handle
    % A row of the text of data tips: row = dataTipTextRow(label, value), dataTipTextRow(label, value, format).
    %   value is the name of a property of the chart, or one value for every point: numbers, dates,
    %   texts. format is 'auto', a format of sprintf such as '%.1f m', 'degrees', 'percentage',
    %   'usd', 'eur', 'gbp' or 'jpy'; for dates one of datetime. Append it to
    %   h.DataTipTemplate.DataTipRows.
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

        function set.Value(row, value)
            % A value that a data tip can say.
            if isa(value, 'function_handle')
                error('MATLAB:graphics:datatip:InvalidValue', ...
                    'The value of a row is the name of a property or one value per point, not a function.');
            end
            row.Value = value;
        end
    end
end
