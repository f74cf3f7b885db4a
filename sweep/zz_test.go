package sweep
import ("testing";"time";"fmt")
func TestZZ(t *testing.T){
 for _,s:=range []string{
  "axes:\n  workload.alpha: {from: 1, step: 0.1, count: 1000000}\n",
  "axes:\n  workload.alpha: {from: 1e-300, step: 1e300, count: 1000000}\n",
  "axes:\n  workload.alpha: {logspace: {from: 1e-300, to: 1e300, count: 1000000}}\n",
  "axes:\n  workload.jobs: {from: -1, step: -1, count: 1000000}\n",
  "axes:\n  workload.alpha: {from: 1, step: 1, count: 1000}\n  workload.load_factor: {from: 1, to: 2, count: 1000}\n",
  "axes:\n  workload.alpha: {from: 1, step: 1, count: 1000}\n  platform.bandwidth: {from: 1, to: 2, count: 1000}\nexclude: [{workload.alpha: 3}]\n",
 }{
  t0:=time.Now()
  opt:=testOptions(""); 
  m,err:=Load("x",[]byte(base+s),opt)
  t1:=time.Now()
  n:=0
  if err==nil { p,_:=m.Plan(); n=p.Len(); var in Instance; for i:=range n {p.At(i,&in)} } else if len(*err.(*Errors))>3 {fmt.Println("many")}
  fmt.Println(t1.Sub(t0),time.Since(t1),n,err!=nil)
 }
}
