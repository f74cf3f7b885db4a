package analysis
import ("testing";"fmt";"math/rand/v2")
func TestZZ(t *testing.T) {
	r, err := Analyse(sample(t), wholeSpec()); if err != nil { t.Fatal(err) }
	if _, err := r.Write("/tmp/ana/out"); err != nil { t.Fatal(err) }
	g := rand.New(rand.NewPCG(1,1))
	var p,q []string; var x,rep,y []float64
	for i:=range 12 { for j:=range 20 { for k:=range 5 { p=append(p,fmt.Sprintf("panel-%d",i)); q=append(q,fmt.Sprintf("cat%02d",j)); x=append(x,float64(j)); rep=append(rep,float64(k)); y=append(y, float64(j*(i-4))*10+30*g.NormFloat64()) } } }
	f,_ := NewFrame(TextColumn("p",p),TextColumn("q",q),NumberColumn("x","",x),NumberColumn("rep","",rep),NumberColumn("y","s",y))
	d := Design{Axes:[]string{"p","q","x"},Replication:"rep",Metrics:[]string{"y"}}
	for _,s := range []FigureSpec{{ID:"many",X:"x",Y:"y",Panels:"p",Points:true,Line:LineNone,Trend:true,Band:true},{ID:"cats",X:"q",Y:"y",Band:true,Points:true},{ID:"trends",X:"x",Y:"y",Series:"p",Trend:true,Line:LineNone,Points:true},{ID:"catseries",X:"p",Y:"y",Series:"x",Line:LineMedian,Band:true}} {
		w,err := Plot(f,d,s); if err!=nil {t.Fatal(err)}
		if _,err := WriteFigure("/tmp/ana/out/figures",w.Figure); err!=nil {t.Fatal(err)}
	}
}
