classdef arrayDatastore < matlab.io.datastore.SubsettableDatastore
    % Slices of an array, read one by one: ds = arrayDatastore(A, name, value, ...).
    %   Options: ReadSize (slices a read), IterationDimension, OutputType ('cell' or 'same').
    properties
        ReadSize = 1;
    end

    properties (SetAccess = private)
        IterationDimension = 1;
        OutputType = 'cell';
    end

    properties (Access = private)
        Data = [];
        Next = 1;
    end

    methods
        function ds = arrayDatastore(data, varargin)
            % arrayDatastore(A, name, value, ...).
            p = inputParser;
            p.FunctionName = 'arrayDatastore';
            addParameter(p, 'ReadSize', 1, @(n) isscalar(n) && n >= 1 && n == fix(n));
            addParameter(p, 'IterationDimension', 1, @(n) isscalar(n) && n >= 1 && n == fix(n));
            addParameter(p, 'OutputType', 'cell');
            parse(p, varargin{:});
            ds.Data = data;
            ds.ReadSize = p.Results.ReadSize;
            ds.IterationDimension = p.Results.IterationDimension;
            ds.OutputType = validatestring(p.Results.OutputType, {'cell', 'same'});
        end

        function tf = hasdata(ds)
            % Whether there is a slice that was not read yet.
            tf = ds.Next <= size(ds.Data, ds.IterationDimension);
        end

        function [data, info] = read(ds)
            % The next slices, in a cell each or as one array, and facts about them.
            if ~hasdata(ds)
                error('MATLAB:datastoreio:arraydatastore:noMoreData', ...
                    'No more data to read. Use reset to begin again.');
            end
            last = min(ds.Next + ds.ReadSize - 1, size(ds.Data, ds.IterationDimension));
            data = slices(ds, ds.Next, last);
            info = struct('Size', size(data));
            ds.Next = last + 1;
        end

        function data = readall(ds)
            % All slices.
            data = slices(ds, 1, size(ds.Data, ds.IterationDimension));
        end

        function data = preview(ds)
            % The first slice.
            data = slices(ds, 1, min(1, size(ds.Data, ds.IterationDimension)));
        end

        function reset(ds)
            % Begin again.
            ds.Next = 1;
        end

        function other = subset(ds, which)
            % Slices by number or by a logical.
            other = arrayDatastore(one(ds, which), 'ReadSize', ds.ReadSize, ...
                'IterationDimension', ds.IterationDimension, 'OutputType', ds.OutputType);
        end

        function n = numobservations(ds)
            % How many slices there are.
            n = size(ds.Data, ds.IterationDimension);
        end

        function n = numpartitions(ds)
            % How many parts make sense.
            n = max(1, ceil(numobservations(ds)/ds.ReadSize));
        end

        function part = progress(ds)
            % How much was read, from 0 to 1.
            part = (ds.Next - 1) / max(size(ds.Data, ds.IterationDimension), 1);
        end
    end

    methods (Access = private)
        function data = slices(ds, first, last)
            % Slices first to last as the output type says.
            if strcmp(ds.OutputType, 'same')
                data = one(ds, first:last);
            else
                data = arrayfun(@(k) one(ds, k), (first:last)', 'UniformOutput', false);
            end
        end

        function part = one(ds, which)
            % The part of the array with these places along the dimension.
            places = repmat({':'}, 1, max(ndims(ds.Data), ds.IterationDimension));
            places{ds.IterationDimension} = which;
            part = ds.Data(places{:});
        end
    end
end
