classdef fileDatastore < matlab.io.datastore.SubsettableDatastore
    % Files read one by one with a function: ds = fileDatastore(location, 'ReadFcn', @f, ...).
    %   Options: ReadFcn, ReadMode, BlockSize, PreviewFcn, IncludeSubfolders, FileExtensions, UniformRead.
    %   ReadMode says what one read takes: 'file' calls data = f(file); 'partialfile' calls
    %   [data, state, done] = f(file, state), [] at first, until it is done with the file; 'bytes'
    %   calls data = f(file, offset, size) for blocks of BlockSize bytes.
    properties
        Files = {};
        ReadFcn = @load;
        PreviewFcn = [];
        BlockSize = 128*2^20;
    end

    properties (SetAccess = private)
        UniformRead = false;
        ReadMode = 'file';
    end

    properties (Access = private)
        Next = 1;
        State = [];     % what a function of parts of files gave last
        Offset = 0;     % bytes of the file that were read
    end

    methods
        function ds = fileDatastore(location, varargin)
            % fileDatastore(folder, files or patterns, 'ReadFcn', @f, name, value, ...).
            p = inputParser;
            p.FunctionName = 'fileDatastore';
            addParameter(p, 'ReadFcn', [], @(f) isa(f, 'function_handle'));
            addParameter(p, 'ReadMode', 'file');
            addParameter(p, 'BlockSize', ds.BlockSize, @(n) isscalar(n) && n >= 1 && n == fix(n));
            addParameter(p, 'PreviewFcn', [], @(f) isa(f, 'function_handle'));
            addParameter(p, 'IncludeSubfolders', false);
            addParameter(p, 'FileExtensions', {});
            addParameter(p, 'UniformRead', false);
            parse(p, varargin{:});
            if isempty(p.Results.ReadFcn)
                error('MATLAB:datastoreio:filedatastore:readFcnMissing', ...
                    'fileDatastore needs the function that reads a file: ''ReadFcn'', @f.');
            end
            ds.ReadFcn = p.Results.ReadFcn;
            ds.PreviewFcn = p.Results.PreviewFcn;
            ds.ReadMode = validatestring(p.Results.ReadMode, {'file', 'partialfile', 'bytes'});
            ds.BlockSize = p.Results.BlockSize;
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
            % Whether there is something that was not read yet.
            tf = ds.Next <= numel(ds.Files);
        end

        function [data, info] = read(ds)
            % What the function makes of the next file or part of one, the file's name and size.
            if ~hasdata(ds)
                error('MATLAB:datastoreio:filedatastore:noMoreData', ...
                    'No more data to read. Use reset to begin again.');
            end
            file = ds.Files{ds.Next};
            facts = dir(file);
            info = struct('Filename', file, 'FileSize', facts(1).bytes);
            switch ds.ReadMode
                case 'file'
                    data = ds.ReadFcn(file);
                    done = true;
                case 'partialfile'
                    [data, ds.State, done] = ds.ReadFcn(file, ds.State);
                case 'bytes'
                    info.Offset = ds.Offset;
                    count = min(ds.BlockSize, info.FileSize - ds.Offset);
                    data = ds.ReadFcn(file, ds.Offset, count);
                    ds.Offset = ds.Offset + count;
                    done = ds.Offset >= info.FileSize;
            end
            if done
                [ds.Next, ds.State, ds.Offset] = deal(ds.Next + 1, [], 0);
            end
        end

        function data = readall(ds)
            % All that read gives: a cell column, or one array of UniformRead.
            whole = subset(ds, 1:numel(ds.Files));
            data = {};
            while hasdata(whole)
                data{end + 1, 1} = read(whole);
            end
            if ds.UniformRead
                data = vertcat(data{:});
            end
        end

        function data = preview(ds)
            % What PreviewFcn, or the first read, makes of the first file.
            if isempty(ds.PreviewFcn)
                data = read(subset(ds, 1));
            else
                data = ds.PreviewFcn(ds.Files{1});
            end
        end

        function n = numobservations(ds)
            % How many files there are.
            n = numel(ds.Files);
        end

        function other = subset(ds, which)
            % Files by number or by a logical, to be read from the first one.
            other = copy(ds);
            other.Files = ds.Files(which);
            reset(other);
        end

        function reset(ds)
            % Begin again.
            [ds.Next, ds.State, ds.Offset] = deal(1, [], 0);
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
