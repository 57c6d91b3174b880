classdef fileDatastore < handle
    % Files read one by one with a function: ds = fileDatastore(location, 'ReadFcn', @f, ...).
    %   Options: ReadFcn, IncludeSubfolders, FileExtensions, UniformRead.
    properties
        Files = {};
        ReadFcn = @load;
    end

    properties (SetAccess = private)
        UniformRead = false;
    end

    properties (Access = private)
        Next = 1;
    end

    methods
        function ds = fileDatastore(location, varargin)
            % fileDatastore(folder, files or patterns, 'ReadFcn', @f, name, value, ...).
            p = inputParser;
            p.FunctionName = 'fileDatastore';
            addParameter(p, 'ReadFcn', [], @(f) isa(f, 'function_handle'));
            addParameter(p, 'IncludeSubfolders', false);
            addParameter(p, 'FileExtensions', {});
            addParameter(p, 'UniformRead', false);
            parse(p, varargin{:});
            if isempty(p.Results.ReadFcn)
                error('MATLAB:datastoreio:filedatastore:readFcnMissing', ...
                    'fileDatastore needs the function that reads a file: ''ReadFcn'', @f.');
            end
            ds.ReadFcn = p.Results.ReadFcn;
            ds.UniformRead = logical(p.Results.UniformRead);
            ds.Files = listed(cellstr(location), p.Results.IncludeSubfolders);
            if ~isempty(p.Results.FileExtensions)
                [~, ~, ends] = cellfun(@fileparts, ds.Files, 'UniformOutput', false);
                ds.Files = ds.Files(ismember(lower(ends), lower(cellstr(p.Results.FileExtensions))));
            end
            if isempty(ds.Files)
                error('MATLAB:datastoreio:pathlookup:fileNotFound', ...
                    'Cannot find files at the location.');
            end
        end

        function tf = hasdata(ds)
            % Whether there is a file that was not read yet.
            tf = ds.Next <= numel(ds.Files);
        end

        function [data, info] = read(ds)
            % What the function makes of the next file, and the file's name and size.
            if ~hasdata(ds)
                error('MATLAB:datastoreio:filedatastore:noMoreData', ...
                    'No more data to read. Use reset to begin again.');
            end
            file = ds.Files{ds.Next};
            data = ds.ReadFcn(file);
            facts = dir(file);
            info = struct('Filename', file, 'FileSize', facts(1).bytes);
            ds.Next = ds.Next + 1;
        end

        function data = readall(ds)
            % What the function makes of all files: a cell column, or one array of UniformRead.
            data = cellfun(ds.ReadFcn, ds.Files, 'UniformOutput', false);
            if ds.UniformRead
                data = vertcat(data{:});
            end
        end

        function data = preview(ds)
            % What the function makes of the first file.
            data = ds.ReadFcn(ds.Files{1});
        end

        function reset(ds)
            % Begin again.
            ds.Next = 1;
        end

        function part = progress(ds)
            % How much was read, from 0 to 1.
            part = (ds.Next - 1) / numel(ds.Files);
        end
    end
end

function files = listed(places, below)
    % The files at these folders, names and patterns, as a column.
    files = {};
    for k = 1:numel(places)
        place = places{k};
        if isfolder(place)
            if below
                place = fullfile(place, '**', '*');
            else
                place = fullfile(place, '*');
            end
        end
        found = dir(place);
        found = found(~[found.isdir]);
        files = [files; fullfile({found.folder}', {found.name}')];
    end
end
