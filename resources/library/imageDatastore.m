classdef imageDatastore < matlab.io.datastore.SubsettableDatastore
    % Images of files and folders, read one by one: imds = imageDatastore(location).
    %   Options: IncludeSubfolders, LabelSource ('foldernames'), FileExtensions, Labels, ReadFcn.
    properties
        Files = {};
        Labels = categorical({});
        ReadSize = 1;
        ReadFcn = @imread;
    end

    properties (Access = private)
        Next = 1;
    end

    methods
        function ds = imageDatastore(location, varargin)
            % imageDatastore(folder or files, name, value, ...).
            p = inputParser;
            addParameter(p, 'IncludeSubfolders', false);
            addParameter(p, 'LabelSource', 'none');
            addParameter(p, 'FileExtensions', {'.png', '.jpg', '.jpeg', '.bmp', '.tif', ...
                '.tiff', '.gif', '.ppm', '.pgm', '.pbm'});
            addParameter(p, 'Labels', []);
            addParameter(p, 'ReadFcn', @imread);
            addParameter(p, 'ReadSize', 1);
            parse(p, varargin{:});
            given = p.Results;
            ds.ReadFcn = given.ReadFcn;
            ds.ReadSize = given.ReadSize;
            ds.Files = found(cellstr(location), given.IncludeSubfolders, ...
                cellstr(given.FileExtensions));
            if isempty(ds.Files)
                error('MATLAB:datastoreio:pathlookup:fileNotFound', ...
                    'Cannot find images at the location.');
            end
            if ~isempty(given.Labels)
                ds.Labels = given.Labels(:);
            elseif strcmpi(given.LabelSource, 'foldernames')
                [folders, ~, ~] = cellfun(@fileparts, ds.Files, 'UniformOutput', false);
                [~, names, ends] = cellfun(@fileparts, folders, 'UniformOutput', false);
                ds.Labels = categorical(strcat(names, ends));
            end
        end

        function tf = hasdata(ds)
            % Whether there is an image that was not read yet.
            tf = ds.Next <= numel(ds.Files);
        end

        function [data, info] = read(ds)
            % The next image (a cell of several where ReadSize asks for them), and its facts.
            if ~hasdata(ds)
                error('MATLAB:datastoreio:splittabledatastore:noMoreData', 'No more data to read.');
            end
            last = min(ds.Next + ds.ReadSize - 1, numel(ds.Files));
            chosen = ds.Next:last;
            data = cellfun(ds.ReadFcn, ds.Files(chosen), 'UniformOutput', false);
            info = facts(ds, chosen);
            ds.Next = last + 1;
            if ds.ReadSize == 1
                data = data{1};
            end
        end

        function [data, info] = readimage(ds, k)
            % Image number k.
            data = ds.ReadFcn(ds.Files{k});
            info = facts(ds, k);
        end

        function data = readall(ds)
            % All images as a cell column.
            data = cellfun(ds.ReadFcn, ds.Files, 'UniformOutput', false);
        end

        function data = preview(ds)
            % The first image.
            data = ds.ReadFcn(ds.Files{1});
        end

        function reset(ds)
            % Begin anew with the first image.
            ds.Next = 1;
        end

        function n = numobservations(ds)
            % How many images there are.
            n = numel(ds.Files);
        end

        function share = progress(ds)
            % How much was read, from 0 to 1.
            share = (ds.Next - 1)/max(numel(ds.Files), 1);
        end

        function t = countEachLabel(ds)
            % How many images have each label, as a table.
            Label = categories(ds.Labels);
            Count = countcats(ds.Labels);
            Label = categorical(Label);
            t = table(Label, Count(:), 'VariableNames', {'Label', 'Count'});
        end

        function part = subset(ds, k)
            % A datastore of some of the images.
            part = copy(ds);
            part.Files = ds.Files(k);
            if ~isempty(ds.Labels)
                part.Labels = ds.Labels(k);
            end
            reset(part);
        end

        function varargout = splitEachLabel(ds, varargin)
            % Datastores with shares (below 1) or numbers of the images of every label, and the rest.
            random = cellfun(@(v) ischar(v) && strncmpi(v, 'rand', 4), varargin);
            sizes = [varargin{~random & cellfun(@isnumeric, varargin)}];
            parts = cell(1, numel(sizes) + 1);
            for name = categories(ds.Labels)'
                k = find(ds.Labels == name{1});
                if any(random)
                    k = k(randperm(numel(k)));
                end
                for s = 1:numel(sizes)
                    count = sizes(s);
                    if count < 1
                        count = round(count*nnz(ds.Labels == name{1}));
                    end
                    count = min(count, numel(k));
                    parts{s} = [parts{s}; k(1:count)];
                    k(1:count) = [];
                end
                parts{end} = [parts{end}; k];
            end
            varargout = cellfun(@(k) subset(ds, sort(k)), parts, 'UniformOutput', false);
        end
    end

    methods (Access = private)
        function info = facts(ds, k)
            info = struct('Filename', {ds.Files(k)}, 'FileSize', ...
                {cellfun(@(f) dir(f).bytes, ds.Files(k))});
            if isscalar(k)
                info.Filename = info.Filename{1};
            end
            if ~isempty(ds.Labels)
                info.Label = ds.Labels(k);
            end
        end
    end
end

function files = found(places, deep, endings)
% The image files that names, patterns and folders mean, as a sorted column.
files = {};
for place = reshape(places, 1, [])
    name = place{1};
    if isfolder(name)
        if deep
            name = fullfile(name, '**');
        end
        name = fullfile(name, '*');
    end
    list = dir(name);
    list = list(~[list.isdir]);
    for entry = reshape(list, 1, [])
        [~, ~, ending] = fileparts(entry.name);
        if any(strcmpi(ending, endings))
            files{end + 1, 1} = fullfile(entry.folder, entry.name); %#ok<AGROW>
        end
    end
end
end
