% dialect: matlab
% oracle: MATLAB's documented package for HDF5; Octave has none
n = [tempname '.h5']; h5create(n,'/g/d',[3 4]); h5write(n,'/g/d',reshape(1:12,3,4));
f = H5F.open(n,'H5F_ACC_RDWR','H5P_DEFAULT');
r = H5R.create(f,'/g/d','H5R_OBJECT',-1); disp(class(r)); disp(size(r));
disp(H5R.get_obj_type(f,'H5R_OBJECT',r));
o = H5R.dereference(f,'H5R_OBJECT',r); disp(H5D.read(o)); disp(H5R.get_name(f,'H5R_OBJECT',r));
d = H5D.open(f,'/g/d'); s = H5D.get_space(d); H5S.select_hyperslab(s,'H5S_SELECT_SET',[0 0],[],[2 2],[]);
q = H5R.create(f,'/g/d','H5R_DATASET_REGION',s); p = H5R.get_region(f,'H5R_DATASET_REGION',q); disp(numel(q)); disp(H5S.get_select_npoints(p));
g = H5R.create(f,'/g','H5R_OBJECT',-1);
t = H5T.copy('H5T_STD_REF_OBJ'); e = H5D.create(f,'refs',t,H5S.create_simple(1,2,[]),'H5P_DEFAULT'); H5D.write(e,'H5ML_DEFAULT','H5S_ALL','H5S_ALL','H5P_DEFAULT',[r g]);
x = H5D.read(e); disp(class(x)); disp(size(x)); disp(isequal(x,[r g])); disp(H5R.get_name(f,'H5R_OBJECT',x(:,2)));
a = H5A.create(f,'one',t,H5S.create('H5S_SCALAR'),'H5P_DEFAULT'); H5A.write(a,'H5ML_DEFAULT',g); disp(isequal(H5A.read(a),g));
try, H5R.get_name(f,'H5R_OBJECT',uint8([1 2 3])), catch e, disp(e.message), end
try, H5R.create(f,'/nothing','H5R_OBJECT',-1), catch e, disp(e.identifier), end
try, H5R.dereference(f,'H5R_OBJECT',zeros(8,1,'uint8')), catch e, disp(e.identifier), end
H5F.close(f); delete(n)
