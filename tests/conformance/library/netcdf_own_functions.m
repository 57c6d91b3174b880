% dialect: matlab
% oracle: MATLAB's documented package for netCDF; Octave has it elsewhere
n = [tempname '.nc'];
id = netcdf.create(n,'NC_CLOBBER');
d1 = netcdf.defDim(id,'x',4); d2 = netcdf.defDim(id,'y',3);
v = netcdf.defVar(id,'v','NC_SHORT',[d1 d2]); w = netcdf.defVar(id,'a','double',[]); c = netcdf.defVar(id,'c','NC_CHAR',d1); u=netcdf.defVar(id,'u','NC_FLOAT',d2);
netcdf.putAtt(id,v,'scale_factor',0.5); netcdf.putAtt(id,netcdf.getConstant('GLOBAL'),'title','hi');
netcdf.endDef(id);
netcdf.putVar(id,v,int16(reshape(1:12,4,3))); netcdf.putVar(id,v,[1 1],int16(99)); netcdf.putVar(id,w,7); netcdf.putVar(id,c,'abcd'); netcdf.putVar(id,u,0,3,[1 2 3]);netcdf.putVar(id,u,0,2,2,[8 9]);
netcdf.close(id);
id = netcdf.open(n); try, netcdf.putVar(id,0,1), catch e, disp(e.identifier), end
v = netcdf.inqVarID(id,'v'); disp(class(netcdf.getVar(id,v))); disp(netcdf.getVar(id,v)); disp(netcdf.getVar(id,v,[0 0],[2 2],[2 1],'double')); disp(netcdf.getVar(id,netcdf.inqVarID(id,'a'))); disp(netcdf.getVar(id,netcdf.inqVarID(id,'c'))'); disp(netcdf.getVar(id,netcdf.inqVarID(id,'u'))');
for k=0:3, [nm,t,d,na]=netcdf.inqVar(id,k); fprintf('%s %d [%s] %d\n',nm,t,num2str(d),na); end
[x,l]=netcdf.inqAtt(id,-1,'title'), disp(netcdf.inqAttName(id,v,0)), disp(netcdf.inqAttID(id,v,'scale_factor')), disp(netcdf.inqFormat(id)); disp(netcdf.inqUnlimDims(id));
try, netcdf.getVar(id,v,[3 3]), catch e, disp(e.identifier), end
try, netcdf.getVar(id,17), catch e, disp(e.identifier), end
try, netcdf.getConstant('NC_RUBBISH'), catch e, disp(e.identifier), end
netcdf.close(id); try, netcdf.inq(id), catch e, disp(e.identifier), end
delete(n)
id = netcdf.create(n, bitor(netcdf.getConstant('NETCDF4'), netcdf.getConstant('NC_NOCLOBBER')));
d = netcdf.defDim(id, 'x', 2); t = netcdf.defDim(id, 't', netcdf.getConstant('NC_UNLIMITED'));
g = netcdf.defGrp(id, 'inner'); v = netcdf.defVar(g, 'b', 'NC_INT64', [d t]); netcdf.defVar(g, 'a', 'NC_STRING', d);
netcdf.putVar(g, v, [0 0], [2 3], int64([1 2 3; 4 5 6]));
disp(netcdf.getVar(g, v)); disp(netcdf.inqDimIDs(id)); disp(netcdf.inqUnlimDims(id)); disp(netcdf.inqVarIDs(g));
[name, len] = netcdf.inqDim(g, t), [~, ~, ids] = netcdf.inqVar(g, v)
disp(isequal(netcdf.inqGrps(id), g, netcdf.inqNcid(id, 'inner'))); disp(netcdf.inqGrpNameFull(g)); disp(netcdf.inqGrpName(id));
[nd, nv, na, ul] = netcdf.inq(id); disp([nd nv na ul]); disp(netcdf.inqFormat(id)); disp(numel(netcdf.getConstantNames) > 20);
try, netcdf.defDim(id, 'x', 3), catch e, disp(e.message), end
try, netcdf.create(n, 'NC_NOCLOBBER'), catch e, disp(e.message), end
try, netcdf.nonsense(id), catch e, disp(e.identifier), end
netcdf.close(id); try, netcdf.inq(g), catch e, disp(e.message), end
nccreate([n '2'], '/v'); disp(ncinfo([n '2']).Variables.Name); try, nccreate([n '2'], '/g/v'), catch e, disp(e.message), end
delete(n, [n '2'])
